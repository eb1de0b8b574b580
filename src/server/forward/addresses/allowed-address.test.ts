import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './allowed-address.ts'

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '34.120.195.249', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001:81b::200e'])(
    'allows %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    'localhost',
    '0177.0.0.1',
    '2130706433',
    '',
  ])('rejects %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
