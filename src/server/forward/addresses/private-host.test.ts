import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { isPrivateHost } from './private-host.ts'

it.each([
  '127.0.0.1',
  '127.1:8080',
  '0x7f000001',
  '10.1.2.3:9000',
  '169.254.169.254',
  '[::1]:3000',
  '[fd00::1]',
  '[::ffff:10.0.0.1]',
  'localhost',
  'LOCALHOST:3000',
  hostname(),
])('recognizes %s as private', async (host) => {
  expect(await isPrivateHost(host)).toBe(true)
})

it.each(['8.8.8.8', '8.8.8.8:443', '[2606:4700::1111]', 'nowhere.invalid', 'nowhere.invalid:443', '', 'a b'])(
  'does not recognize %j',
  async (host) => {
    expect(await isPrivateHost(host)).toBe(false)
  },
)
