import { describe, expect, it } from 'vitest'
import { addDescribedNames } from './described-contexts.ts'

const described = (raw_description: string, key = 'os') => {
  const contexts = { [key]: { raw_description } }
  addDescribedNames(contexts)
  const { raw_description: _, ...added } = contexts[key] ?? { raw_description: '' }
  return added
}

describe('addDescribedNames', () => {
  it.each([
    ['Microsoft Windows NT 10.0.19045.0', { name: 'Windows', version: '10', build: '19045' }],
    ['Microsoft Windows 10.0.26100', { name: 'Windows', version: '11', build: '26100' }],
    ['Microsoft Windows 10.0.20348', { name: 'Windows', version: '10.0.20348', build: '20348' }],
    ['Windows 11  (10.0.22631) 64bit', { name: 'Windows', version: '11', build: '22631' }],
    ['Debian GNU/Linux 12 (bookworm)', { name: 'Debian GNU/Linux', version: '12' }],
    ['Ubuntu 22.04.3 LTS', { name: 'Ubuntu', version: '22.04.3' }],
    ['Alpine Linux v3.18', { name: 'Alpine Linux', version: '3.18' }],
    ['Linux 5.15.0-91-generic #101-Ubuntu SMP', { name: 'Linux', kernel_version: '5.15.0' }],
    ['Darwin 23.4.0 Darwin Kernel Version 23.4.0', { name: 'Darwin', kernel_version: '23.4.0' }],
    ['Mac OS X 14.1.0', { name: 'macOS', version: '14.1.0' }],
    ['Android OS 13 / API-33', { name: 'Android', version: '13' }],
    ['Nintendo Switch', {}],
  ])('reads the system %s', (description, added) => {
    expect(described(description)).toEqual(added)
  })

  it('reads a runtime', () => {
    expect(described('.NET Framework 4.8.4250.0', 'runtime')).toEqual({
      name: '.NET Framework',
      version: '4.8.4250.0',
    })
  })

  it('keeps the names that the SDK sent', () => {
    const contexts = { os: { name: 'Linux', raw_description: 'Ubuntu 22.04.3 LTS' } }
    addDescribedNames(contexts)
    expect(contexts.os).toEqual({ name: 'Linux', raw_description: 'Ubuntu 22.04.3 LTS' })
  })
})
