import { updateUpstream } from '#server/store/upstreams/upstreams.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { parseUpstreamArguments, requireUpstream } from './arguments.ts'

/** `culvert upstream pause`: pauses deliveries. Envelopes queue up. */
export const upstreamPause: Command = createSwitch('pause', true)

/** `culvert upstream resume`: delivers the queue, oldest first. */
export const upstreamResume: Command = createSwitch('resume', false)

function createSwitch(verb: string, isPaused: boolean): Command {
  const usage = `culvert upstream ${verb} PROJECT [DSN]`
  return async (args, context) => {
    const { positionals } = readArguments(usage, args, {})
    const named = parseUpstreamArguments(positionals, usage)
    await withProjectStore(context, async ({ store }) => {
      await updateUpstream(store, await requireUpstream(store, named), { isPaused })
    })
    context.print(`${isPaused ? 'paused; new envelopes are queued' : 'resumed; queued envelopes are sent'}\n`)
  }
}
