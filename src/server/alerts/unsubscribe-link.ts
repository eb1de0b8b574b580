import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** The receiver of mails: a user, or a destination with an address. */
export interface MailReceiver {
  kind: 'user' | 'destination'
  id: string
}

const letters = { user: 'u', destination: 'd' } as const
const tagBytes = 32

/**
 * The URL in a mail that unsubscribes the receiver without signing in. It never expires. `secret`: the
 * installation's.
 */
export function createUnsubscribeLink(origin: string, secret: string, receiver: MailReceiver): string {
  const name = Buffer.from(`${letters[receiver.kind]}${receiver.id}`).toString('base64url')
  return `${origin}/unsubscribe/${name}.${sign(name, secret).toString('base64url')}`
}

/** The receiver in the token of such a link; undefined unless this installation created it. */
export function parseUnsubscribeToken(token: string, secret: string): MailReceiver | undefined {
  const [name = '', tagText = '', ...more] = token.split('.')
  const tag = Buffer.from(tagText, 'base64url')
  if (more.length > 0 || tag.length !== tagBytes || !timingSafeEqual(tag, sign(name, secret)))
    return undefined
  const text = Buffer.from(name, 'base64url').toString('utf8')
  const kind = (['user', 'destination'] as const).find((each) => text.startsWith(letters[each]))
  return kind && { kind, id: text.slice(1) }
}

/** With a separate key, so that its signatures are not valid elsewhere. */
function sign(name: string, secret: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'culvert unsubscribe', tagBytes))
  return createHmac('sha256', key).update(name).digest()
}
