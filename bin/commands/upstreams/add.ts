import { parseDsn } from '#protocol/dsn.ts'
import { requireEnv } from '#server/env.ts'
import { OperatorError } from '#server/errors.ts'
import { addUpstream } from '#server/forward/add-upstream.ts'
import { isPrivateHost, privateUpstreamAdvice } from '#server/forward/addresses/private-host.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

const usage =
  'culvert upstream add PROJECT DSN [--organization N [--region xx]] [--connect HOST:PORT] [--errors-only] [--forward-only]'

/** `culvert upstream add`: forwards a project's envelopes to another error-reporting service. */
export const upstreamAdd: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, args, {
    organization: { type: 'string' },
    region: { type: 'string' },
    connect: { type: 'string' },
    'errors-only': { type: 'boolean' },
    'forward-only': { type: 'boolean' },
  })
  const [projectText = '', dsn = '', ...more] = positionals
  const problems = new Problems()
  if (projectText === '' || dsn === '' || more.length > 0)
    problems.add('One project is needed, its id or its slug, and one DSN.')
  problems.throwIfAny(usage)
  const { organization, region, connect } = values
  await withProjectStore(context, async ({ store, origin }) => {
    const project = await requireProject(store, projectText)
    const input = {
      projectId: project.id,
      dsn,
      organization,
      region,
      connect,
      kinds: values['errors-only'] === true ? ('errors' as const) : ('all' as const),
    }
    const added = await addUpstream(store, input, origin)
    if (!added.ok) throw new OperatorError(`${describe(added)}\nUsage: ${usage}`, 2)
    if (values['forward-only'] === true)
      await updateProjectSettings(store, project.id, () => ({ forwarding: { isStoredHere: false } }))
    context.print(`upstream  ${added.upstreamId}\n`)
  })
  const dialled = connect ?? parseDsn(dsn)?.host ?? ''
  if (!requireEnv(context.variables).allowsPrivateUpstreams && (await isPrivateHost(dialled)))
    context.report(
      `${dialled} is on this machine or a private network: envelopes are queued, but not sent. ${privateUpstreamAdvice}\n`,
    )
}

/** The operator may know which project it is. */
function describe({ problem, takenBy }: { problem: string; takenBy?: number }): string {
  return takenBy === undefined ? problem : `${problem} The other project is ${takenBy}.`
}
