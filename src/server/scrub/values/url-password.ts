import type { FindingList } from '#server/scrub/finding-list.ts'
import { isMarkAt } from '#server/scrub/scrub-rule.ts'

/** No character can match in two parts, so that the search never backtracks. */
const credentials = /\/\/[^\s/?#@:"'<>\\]*:([^\s/?#"'<>\\]+)@/dg

/** The format of drivers for Go: `user:password@tcp(host:3306)/shop`. */
const driverCredentials = /(?<![\w.-])[\w.-]{1,64}:([^\s:@/"'<>\\]{1,128})@(?:tcp|unix)\(/dg

/** Finds the password in `scheme://user:password@host`, up to the last `@` before the path. */
export function findUrlPasswords(text: string, findings: FindingList): void {
  if (text.includes('@tcp(') || text.includes('@unix(')) findPasswords(text, driverCredentials, findings)
  if (text.includes('//')) findPasswords(text, credentials, findings)
}

function findPasswords(text: string, pattern: RegExp, findings: FindingList): void {
  findings.search(text, pattern, ({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0]
    if (!isMarkAt(text, start)) findings.add(start, end, 'urlauth')
  })
}
