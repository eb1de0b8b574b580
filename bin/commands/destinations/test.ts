import { createAlertDeliverer } from '#server/alerts/deliverer.ts'
import { sendTestMessage } from '#server/alerts/test-message.ts'
import { requireEnv } from '#server/env.ts'
import { OperatorError } from '#server/errors.ts'
import { createLog } from '#server/log.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { parseDestinationArgument, requireDestination } from './arguments.ts'

const usage = 'culvert destination test DESTINATION'

/** `culvert destination test`: sends a test message and prints the receiver's answer. */
export const destinationTest: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const text = parseDestinationArgument(positionals, usage)
  const env = requireEnv(context.variables)
  await withProjectStore(context, async ({ store, origin }) => {
    const destination = await requireDestination(store, text)
    const log = createLog(env.logLevel)
    const deliverer = createAlertDeliverer({ store, log, env, origin: () => origin, random: Math.random })
    try {
      const parts = { store, secret: env.secret, origin, deliverer }
      const { verdict, status, answerExcerpt } = await sendTestMessage(parts, destination)
      const answer = [status, answerExcerpt].filter((part) => part !== undefined && part !== '').join(' ')
      if (verdict !== 'delivered')
        throw new OperatorError(`${destination.name} rejected the test: ${answer || 'no response'}`)
      context.print(`${destination.name} accepted the test: ${answer}\n`)
    } finally {
      await deliverer.stop()
    }
  })
}
