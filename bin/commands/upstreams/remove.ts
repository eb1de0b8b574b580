import { deleteUpstream } from '#server/store/upstreams/deletion.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { parseUpstreamArguments, requireUpstream } from './arguments.ts'

const usage = 'culvert upstream remove PROJECT [DSN]'

/** `culvert upstream remove`: stops forwarding and deletes the queue. */
export const upstreamRemove: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const named = parseUpstreamArguments(positionals, usage)
  const droppedCount = await withProjectStore(context, async ({ store }) => {
    const upstream = await requireUpstream(store, named)
    return deleteUpstream(store, upstream)
  })
  const envelopes = droppedCount === 1 ? '1 envelope' : `${droppedCount ?? 0} envelopes`
  context.print(`removed, with ${envelopes} discarded\n`)
}
