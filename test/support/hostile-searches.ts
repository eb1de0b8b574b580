import type { Store } from '#server/store/store.ts'
import { copyIssue } from './issue-copies.ts'

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index))
const letter = (index: number) => String.fromCodePoint(97 + index)

/** The most expensive searches, by what they contain: 20 parts each, which few issues match or all. */
export const hostileSearches: Record<string, string[]> = {
  prefixes: repeat(20, (index) => `k${index}:v*`),
  'prefixes of one key': repeat(20, () => 'transaction:/t*'),
  'values that all have': repeat(20, (index) => `k${index}:value`),
  'negated prefixes, then a miss': [...repeat(19, (index) => `!k${index}:nope*`), 'level:fatal'],
  'wildcards over many values': repeat(20, (index) => `!wide:*z${letter(index)}*`),
  'words of one letter': repeat(20, letter),
  'words that all have': repeat(20, () => 'function'),
  'negated words, then a miss': [...repeat(19, (index) => `!zz${letter(index)}`), 'level:fatal'],
  'one of 20': [repeat(20, (index) => `k${index}:zz*`).join(' OR ')],
  'one of 20, anywhere': [repeat(20, (index) => `*z${letter(index)}*`).join(' OR ')],
  'none of 20': [`!(${repeat(20, (index) => `k${index}:v*`).join(' OR ')})`],
  'ten of two': repeat(10, (index) => `(k${index}:zz* OR wide:*z${letter(index)}*)`),
  parentheses: [`${'('.repeat(100)}k0:v*${')'.repeat(100)}`, ...repeat(19, (index) => `!k${index}:zz*`)],
  lists: repeat(10, (index) => `k${index}:[a, b, c, d, e*, *f*]`),
  stacks: repeat(20, (index) => `!stack.function:*z${letter(index)}*`),
  times: repeat(20, (index) => `!timestamp:2020-01-${String(index + 1).padStart(2, '0')}`),
}

/**
 * Copies the only issue of a project the given number of times, with many tags: more than any of the searches
 * may read at once. Every fourth has the tags `k0` to `k19`, every hundredth has 1,000 values of `wide`.
 */
export function fillForSearches(
  { connection, engine }: Pick<Store, 'connection' | 'engine'>,
  projectId: number,
  issueCount: number,
): void {
  copyIssue(connection, projectId, issueCount)
  connection.exec(`
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19)
      INSERT INTO issue_tags SELECT project_id, id, 'k' || i, 'value', 1, 0 FROM n, issues WHERE number % 4 = 0;
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
      INSERT INTO issue_tags SELECT project_id, id, 'wide', 'value-' || i, 1, 0 FROM n, issues WHERE number % 100 = 0`)
  const issueText = engine.prepareIssueText()
  const rows = connection.prepare('SELECT id, title, subtitle, culprit FROM issues WHERE number > 1').all()
  connection.exec('BEGIN IMMEDIATE')
  for (const { id, title, subtitle, culprit } of rows) {
    const words = 'a b c d e f g h i j k l m n o p q r s t'
    issueText.run(projectId, Number(id), [String(title), String(subtitle), String(culprit), words])
  }
  connection.exec('COMMIT')
}
