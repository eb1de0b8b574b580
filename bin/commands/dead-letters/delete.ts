import { OperatorError } from '#server/errors.ts'
import { deleteDeadLetters } from '#server/store/outcomes/dead-letters.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { readLetters } from './arguments.ts'

const usage = 'culvert dead-letters delete LETTER…'

/**
 * `culvert dead-letters delete`: deletes items permanently. They remain counted as invalid. Exits with 1 if
 * one is not found.
 */
export const deadLettersDelete: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const letters = readLetters(positionals, usage)
  await withProjectStore(context, async ({ store }) => {
    const deletedCount = await deleteDeadLetters(store, letters)
    context.print(`${deletedCount} deleted, ${letters.length - deletedCount} not found\n`)
    if (deletedCount < letters.length)
      throw new OperatorError('"culvert dead-letters list" shows the items that exist.')
  })
}
