import { OperatorError } from '#server/errors.ts'
import { isNeededKey } from '#server/first-projects.ts'
import { listKeyRows, updateProjectKey, type KeyRow } from '#server/store/projects/key-changes.ts'
import { parseKey, Problems } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

/** `culvert key enable`: enables a key. */
export const keyEnable: Command = createSwitch('enable', true)

/** `culvert key disable`: disables a key. Requests with it are rejected. */
export const keyDisable: Command = createSwitch('disable', false)

function createSwitch(verb: string, isActive: boolean): Command {
  const usage = `culvert key ${verb} KEY`
  return async (args, context) => {
    const { positionals } = readArguments(usage, args, {})
    const problems = new Problems()
    const [text = '', ...more] = positionals
    const publicKey = parseKey(text, 'KEY', problems)
    if (more.length > 0) problems.add('One key at a time.')
    problems.throwIfAny(usage)
    await withProjectStore(context, async ({ store }) => {
      const keys = await listKeyRows(store.db)
      const key = keys.find((candidate) => candidate.publicKey === publicKey)
      if (key === undefined)
        throw new OperatorError('No project has this key. "culvert key list" shows all of them.')
      if (!isActive) requireNotNeeded(key, keys)
      await updateProjectKey(store, key.publicKey, { isActive })
    })
    context.print(`key  ${publicKey}  ${isActive ? 'active' : 'disabled'}\n`)
  }
}

/** Culvert does not start without a key of the built-in project. */
function requireNotNeeded(key: KeyRow, keys: readonly KeyRow[]): void {
  if (!isNeededKey(key, keys)) return
  throw new OperatorError(
    `This is the only active key of the built-in project, which Culvert itself needs. Add another one first: ` +
      `culvert key add ${key.projectId}`,
  )
}
