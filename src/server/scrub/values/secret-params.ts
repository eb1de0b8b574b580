import type { FilledTemplate } from '#server/normalize/message-template.ts'
import type { Finding } from '#server/scrub/scrub-rule.ts'

/**
 * Finds the parameters of a log message, as texts, that are secret, or part of a secret, at their position in
 * the template. The same text is also secret as another parameter. Takes time linear in the template,
 * independent of the number of parameters.
 */
export function findSecretParams(
  { text, ranges }: FilledTemplate,
  findings: readonly Finding[],
): ReadonlySet<string> {
  const secrets = new Set<string>()
  const sorted = findings.toSorted((one, other) => one.start - other.start)
  let next = 0
  let coveredTo = 0
  for (const { start, end } of ranges) {
    for (; next < sorted.length && (sorted[next]?.start ?? 0) < end; next += 1)
      coveredTo = Math.max(coveredTo, sorted[next]?.end ?? 0)
    if (coveredTo > start) secrets.add(text.slice(start, end))
  }
  return secrets
}
