import type { FilledTemplate } from '#server/normalize/message-template.ts'
import type { Finding } from '#server/scrub/scrub-rule.ts'

/**
 * The parameters of a log message, as text, that are a secret where the template puts them, or a part of one.
 * The same text is a secret as another parameter too. Takes time in proportion to the template, not to its
 * product with the parameters.
 */
export function findSecretParams(
  { text, places }: FilledTemplate,
  findings: readonly Finding[],
): ReadonlySet<string> {
  const secrets = new Set<string>()
  const sorted = findings.toSorted((one, other) => one.start - other.start)
  let next = 0
  let coveredTo = 0
  for (const { start, end } of places) {
    for (; next < sorted.length && (sorted[next]?.start ?? 0) < end; next += 1)
      coveredTo = Math.max(coveredTo, sorted[next]?.end ?? 0)
    if (coveredTo > start) secrets.add(text.slice(start, end))
  }
  return secrets
}
