import type { FindingList } from './finding-list.ts'
import { isMarkAt } from './scrub-rule.ts'

/** No character may stand in two parts, so that no text makes the search start over. */
const credentials = /\/\/[^\s/?#@:"'<>\\]*:([^\s/?#"'<>\\]+)@/dg

/** Finds the password in `scheme://user:password@host`, up to the last `@` before the path. The user stays. */
export function findUrlPasswords(text: string, findings: FindingList): void {
  if (!text.includes('//')) return
  findings.search(text, credentials, ({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0]
    if (!isMarkAt(text, start)) findings.add(start, end, 'urlauth')
  })
}
