import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createUnsubscribeLink, parseUnsubscribeToken, type MailReceiver } from './unsubscribe-link.ts'

const secret = 'a secret of the installation, for tests'
const origin = 'https://culvert.example'
const ada: MailReceiver = { kind: 'user', id: 'jHk3-_x' }

const tokenOf = (receiver: MailReceiver, of = secret) =>
  createUnsubscribeLink(origin, of, receiver).slice(`${origin}/unsubscribe/`.length)

describe('the token of an unsubscribe link', () => {
  it.each<MailReceiver>([ada, { kind: 'destination', id: '7b0f8f63-2a5f-4a5e-9b43-1d2b8f0f9a11' }])(
    'contains its receiver and fits into a path: %o',
    (receiver) => {
      expect(parseUnsubscribeToken(tokenOf(receiver), secret)).toEqual(receiver)
      expect(tokenOf(receiver)).toMatch(/^[\w-]+\.[\w-]+$/)
    },
  )

  it('is not valid with another secret, for another receiver, or changed', () => {
    const token = tokenOf(ada)
    const [, tag = ''] = token.split('.')
    const other = Buffer.from('ujHk3-_y').toString('base64url')
    for (const wrong of [tokenOf(ada, 'another secret'), `${other}.${tag}`, `${token}.`, token.slice(0, -2)])
      expect(parseUnsubscribeToken(wrong, secret)).toBeUndefined()
  })

  it('rejects any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, tag) => {
        expect(parseUnsubscribeToken(`${name}.${tag}`, secret)).toBeUndefined()
      }),
    )
  })
})
