import { listDeadLetters } from '#server/store/outcomes/dead-letters.ts'
import type { DeadLetterSummary } from '#server/store/outcomes/records.ts'
import { readOptions, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { sizeText } from '../size-text.ts'

/** `culvert dead-letters list`: lists items that failed, newest first, as a table or as JSON. */
export const deadLettersList: Command = async (args, context) => {
  const { values } = readOptions('culvert dead-letters list [--json]', args, { json: { type: 'boolean' } })
  const letters = await withProjectStore(context, ({ store }) =>
    listDeadLetters(store.db, { limit: Number.MAX_SAFE_INTEGER }),
  )
  context.print(values.json === true ? toJson(letters) : toTable(letters))
}

function nameOf({ project, id }: DeadLetterSummary): string {
  return `${project.id}:${id}`
}

function toJson(letters: DeadLetterSummary[]): string {
  const listed = letters.map((letter) => ({
    letter: nameOf(letter),
    project: letter.project.slug,
    itemType: letter.itemType,
    reason: letter.reason,
    receivedAt: letter.receivedAt,
    payloadBytes: letter.payloadBytes,
  }))
  return `${JSON.stringify(listed, null, 2)}\n`
}

function toTable(letters: DeadLetterSummary[]): string {
  if (letters.length === 0) return 'There are no dead letters.\n'
  return letters
    .map((letter) => {
      const { project, itemType, reason, receivedAt, payloadBytes } = letter
      const facts = [new Date(receivedAt).toISOString(), project.slug, itemType, sizeText(payloadBytes)]
      return `${nameOf(letter)}\n  ${facts.join('  ')}\n  ${oneLine(reason)}\n`
    })
    .join('')
}

/** Error messages are untrusted: removes control characters, which could move a terminal's cursor. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}
