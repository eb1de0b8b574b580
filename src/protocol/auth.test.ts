import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAuthHeader, parseBasicKey } from './auth.ts'

describe('parseAuthHeader', () => {
  it.each([
    'Sentry sentry_version=7, sentry_client=sentry.python/2.1, sentry_key=abc',
    'sentry sentry_key=abc,sentry_version=7,sentry_client=sentry.python/2.1,sentry_secret=x',
    'Sentry sentry_key = "abc", sentry_version="7", sentry_client =sentry.python/2.1',
    '  SENTRY  sentry_key=abc&sentry_version=7&sentry_client=sentry.python/2.1',
    'Sentry sentry_key=abc, sentry_key=evil, sentry_version=7, sentry_client=sentry.python/2.1',
  ])('reads %s', (text) => {
    expect(parseAuthHeader(text)).toEqual({ publicKey: 'abc', version: '7', client: 'sentry.python/2.1' })
  })

  it.each(['', 'Sentry', 'Basic YWJjOg==', 'Bearer abc', 'sentry_key=abc', `Sentry ${'a=b,'.repeat(1000)}`])(
    'returns undefined for %s',
    (text) => {
      expect(parseAuthHeader(text)).toBeUndefined()
    },
  )

  it('skips empty and half pairs', () => {
    expect(parseAuthHeader('Sentry sentry_key=, =x, sentry_version, , sentry_client=a=b')).toEqual({
      client: 'a=b',
    })
  })

  it('never throws for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseAuthHeader(`Sentry ${text}`)))
  })
})

describe('parseBasicKey', () => {
  const key = '0123456789abcdef0123456789ABCDEF'

  it.each([`${key}:`, key, `${key}:password`, `${key}::`])('reads the user of %s', (credentials) => {
    expect(parseBasicKey(`Basic ${btoa(credentials)}`)).toBe(key)
    expect(parseBasicKey(`  basic  ${btoa(credentials)} `)).toBe(key)
  })

  it('reads a key with the dashes of a UUID', () => {
    const uuid = '3f2a1b9c-0d4e-5f6a-7b8c-9d0e1f2a3b4c'
    expect(parseBasicKey(`Basic ${btoa(`${uuid}:`)}`)).toBe(uuid)
    expect(parseBasicKey(`Basic ${btoa(`${uuid}0:`)}`)).toBeUndefined()
  })

  it.each([
    '',
    'Basic',
    `Basic ${btoa('jane:password')}`,
    `Basic ${btoa(`${key}0:`)}`,
    `Basic ${btoa(`x${key}:`)}`,
    `Basic ${btoa(`jane:${key}`)}`,
    `Basic ${btoa(`${key}:`)}!`,
    `Basic ${'A'.repeat(45)}=`,
    `Bearer ${btoa(`${key}:`)}`,
    key,
  ])('returns undefined for %s', (text) => {
    expect(parseBasicKey(text)).toBeUndefined()
  })

  it('never throws for any text', () => {
    fc.assert(fc.property(fc.base64String({ minLength: 40 }), (text) => void parseBasicKey(`Basic ${text}`)))
  })
})
