"""JUnit's XML, which build servers and editors show: junit/*.xml, a file per student, a suite per module."""

from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from course.boundary import one_line, printable
from course.files import write_atomically
from course.grading.gradebook import Grade, Gradebook, Student
from course.grading.pages import page_name
from course.record import Record

LONGEST = 10_000  # characters of one text
OUTCOMES = {"fail": "failure", "refused": "failure", "error": "error", "todo": "skipped"}  # nothing for a pass


def write(gradebook: Gradebook, folder: Path) -> list[str]:
    """A student whose files have no result yet has no file here."""
    written = 0
    for student in gradebook.students:
        graded = [grade for grade in student.grades.values() if grade.records]
        if not graded:
            continue
        suites = Element("testsuites", name=_said(student.called))
        suites.extend(_suite(student, grade) for grade in graded)
        ElementTree.indent(suites)
        content = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True) + b"\n"
        write_atomically((folder / "junit" / page_name(student.id)).with_suffix(".xml"), content)
        written += 1
    return [f"{folder / 'junit'}: {written} files, one for each student with results"]


def _suite(student: Student, grade: Grade) -> Element:
    outcomes = [OUTCOMES.get(r.status) for r in grade.records]
    suite = Element(
        "testsuite",
        name=grade.module.slug,
        tests=str(len(outcomes)),
        failures=str(outcomes.count("failure")),
        errors=str(outcomes.count("error")),
        skipped=str(outcomes.count("skipped")),
        time=f"{sum(r.seconds for r in grade.records):.4f}",
    )
    if grade.submitted:
        suite.set("timestamp", grade.submitted.isoformat())
    _properties(
        suite,
        student=student.id,
        attempt=grade.attempt,
        points=grade.points,
        max=grade.max,
        late_days=grade.late_days,
        credit=f"{grade.credit:g}",
    )
    suite.extend(_case(record) for record in grade.records)
    return suite


def _case(record: Record) -> Element:
    case = Element(
        "testcase", classname=f"{record.module}.{record.todo}", name=record.check, time=f"{record.seconds:.4f}"
    )
    _properties(case, points=record.points, max=record.max, seed=record.seed)
    if outcome := OUTCOMES.get(record.status):
        found = SubElement(case, outcome, message=one_line(record.message))
        if outcome != "skipped":
            found.set("type", record.status)
        found.text = _said(record.message)
    if record.printed.strip():
        SubElement(case, "system-out").text = _said(record.printed)
    return case


def _properties(element: Element, **values: object) -> None:
    properties = SubElement(element, "properties")
    for name, value in values.items():
        SubElement(properties, "property", name=name, value=_said(str(value)))


def _said(text: str) -> str:
    """Text without the characters that XML does not have, escaped or not."""
    return printable(text, LONGEST)
