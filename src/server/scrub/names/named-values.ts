import type { FindingList } from '#server/scrub/finding-list.ts'
import { isMarkAt } from '#server/scrub/scrub-rule.ts'
import { isSecretValue, ruleOf, type ReadName } from './field-name.ts'

/** Also in a list of arguments: `'--password', 'hunter2'`. */
const option =
  /(?:^|[\s"'])--?([A-Za-z][\w-]{1,63})(?:\s{1,4}(?![-&|<>])(?=("[^"]*"|'[^']*'|\S+))|["'],\s{0,4}(?=("[^"]*"|'[^']*')))/dg
const element = /<([\w:.-]{1,64})(?:\s[^<>]{0,200})?>(?:<!\[CDATA\[)?([^<\]]+)(?:\]\]>)?<\//dg
const formField = /\bname="([^"\r\n]{1,100})"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,4}\r?\n\r?\n([^\r\n]+)/dg

/** Finds the values of secret options in a command line: `--password hunter2`. */
export function findSecretOptions(text: string, readName: ReadName, findings: FindingList): void {
  findNamed(text, option, { readName, findings })
}

/** Finds the texts of secret elements in XML: `<password>hunter2</password>`. */
export function findSecretElements(text: string, readName: ReadName, findings: FindingList): void {
  findNamed(text, element, { readName, findings })
}

/** Finds the values of secret fields in `multipart/form-data`. */
export function findSecretFormFields(text: string, readName: ReadName, findings: FindingList): void {
  if (text.includes('form-data')) findNamed(text, formField, { readName, findings })
}

function findNamed(
  text: string,
  pattern: RegExp,
  { readName, findings }: { readName: ReadName; findings: FindingList },
): void {
  findings.search(text, pattern, ({ 1: name, indices }) => {
    const fieldName = readName(name ?? '')
    const [start, end] = indices?.[2] ?? indices?.[3] ?? [0, 0]
    const isSecret = !isMarkAt(text, start) && isSecretValue(fieldName, unquoted(text.slice(start, end)))
    if (isSecret) findings.add(start, end, ruleOf(fieldName))
  })
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value
}
