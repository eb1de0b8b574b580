import { requireEnv } from '#server/env.ts'
import { OperatorError } from '#server/errors.ts'
import type { RetryResult } from '#server/ingest/retry-dead-letter.ts'
import { createServices, type Services } from '#server/services.ts'
import type { DeadLetterReference } from '#server/store/ingest/records.ts'
import { listDeadLetters } from '#server/store/outcomes/dead-letters.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { readLetters } from './arguments.ts'

const usage = 'culvert dead-letters retry LETTER… | --all'

/**
 * `culvert dead-letters retry`: ingests items again, even while a server runs. Exits with 1 if some fail
 * again.
 */
export const deadLettersRetry: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, args, { all: { type: 'boolean' } })
  const named = values.all === true ? undefined : readLetters(positionals, usage)
  const env = requireEnv(context.variables)
  // Unlike services, it does not upgrade the schema or set a damaged file aside.
  await withProjectStore(context, () => Promise.resolve())
  // The command reports failures itself, so the server's log is silent.
  const services = await createServices({ ...env, logLevel: 'silent' })
  try {
    const letters = named ?? (await listAll(services))
    const counts: Record<RetryResult['outcome'], number> = { done: 0, gone: 0, failed: 0 }
    for (const letter of letters) {
      const result = await services.retryDeadLetter(letter)
      counts[result.outcome] += 1
      if (result.outcome === 'failed') context.report(`${letter.projectId}:${letter.id}  ${result.reason}\n`)
    }
    context.print(`${counts.done} processed, ${counts.failed} failed again, ${counts.gone} not found\n`)
    if (counts.failed > 0) throw new OperatorError('Items that failed again are kept.')
  } finally {
    await services.close()
  }
}

/** Oldest first, so that the first event of an issue is its oldest. */
async function listAll({ store }: Services): Promise<DeadLetterReference[]> {
  const letters = await listDeadLetters(store.db, { limit: Number.MAX_SAFE_INTEGER })
  return letters.map(({ project, id }) => ({ projectId: project.id, id })).toReversed()
}
