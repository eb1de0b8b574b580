import { describe, expect, it } from 'vitest'
import { isLoopbackAddress, toClientNetwork } from './client-network.ts'

describe('the network of a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4'],
    ['::2:3:4:5:6:7:8', '0:2:3:4'],
  ])('of %s is %s', (address, network) => {
    expect(toClientNetwork(address)).toBe(network)
  })

  it('is loopback on this machine only', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopbackAddress)).toBe(true)
    expect(['128.0.0.1', '10.0.0.1', '::2', '1::1'].some(isLoopbackAddress)).toBe(false)
  })
})
