import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { listUpstreams } from '#server/store/upstreams/upstreams.ts'
import { Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

const usage = 'culvert upstream mode PROJECT both|forward-only'

/** `culvert upstream mode`: sets whether envelopes are also stored here or only forwarded. */
export const upstreamMode: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const [projectText = '', mode = '', ...more] = positionals
  const problems = new Problems()
  if (projectText === '' || more.length > 0) problems.add('One project is needed: its id or its slug.')
  if (mode !== 'both' && mode !== 'forward-only')
    problems.add(`The mode is ${JSON.stringify(mode)}: it must be both or forward-only.`)
  problems.throwIfAny(usage)
  const hasUpstream = await withProjectStore(context, async ({ store }) => {
    const project = await requireProject(store, projectText)
    await updateProjectSettings(store, project.id, () => ({ forwarding: { isStoredHere: mode === 'both' } }))
    return (await listUpstreams(store.db)).some(({ projectId }) => projectId === project.id)
  })
  const storage = mode === 'both' ? 'stored here' : 'not stored here'
  context.print(
    `${storage}, ${hasUpstream ? 'and forwarded' : 'and not forwarded: the project has no upstream'}\n`,
  )
}
