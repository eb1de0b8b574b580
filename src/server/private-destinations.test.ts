import { describe, expect, it } from 'vitest'
import { parsePrivateDestinations } from './private-destinations.ts'

describe('parsePrivateDestinations', () => {
  it('reads hosts, ports, addresses and networks', () => {
    expect(
      parsePrivateDestinations(
        'ntfy.lan:8080, Mattermost 10.1.0.0/16,192.168.1.5 192.168.1.6:443 fd00::/8 [fd00::1]:80',
      ),
    ).toEqual({
      networks: ['10.1.0.0/16', '192.168.1.5', 'fd00::/8'],
      hosts: [
        { host: 'ntfy.lan', port: 8080 },
        { host: 'mattermost' },
        { host: '192.168.1.6', port: 443 },
        { host: 'fd00::1', port: 80 },
      ],
    })
  })

  it('is empty for an empty text', () => {
    expect(parsePrivateDestinations(' , ')).toEqual({ networks: [], hosts: [] })
  })

  it.each([
    'https://ntfy.lan',
    'ntfy.lan:0',
    'ntfy.lan:65536',
    'ntfy.lan:',
    '10.0.0.0/33',
    '10.0.0',
    '10.0.0.256',
    '[10.0.0.1]:80',
    'a/b',
    '*',
    '-a',
    'a b:c',
  ])('rejects %j', (text) => {
    expect(parsePrivateDestinations(text)).toBeUndefined()
  })
})
