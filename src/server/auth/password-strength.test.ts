import { describe, expect, it } from 'vitest'
import { threadCpuMs } from '#test/cpu-time.ts'
import { findPasswordWeakness } from './password-strength.ts'

const words = ['Ada Lovelace', 'ada@example.com', 'Culvert']

describe('a password', () => {
  it.each([
    ['aaaaaaaaaa', 'repeats'],
    ['abcabcabcabc', 'repeats'],
    ['1234567890', 'many people'],
    ['qwertyuiop', 'many people'],
    ['password12', 'many people'],
    ['P@ssw0rd123!', 'many people'],
    ['iloveyou12', 'many people'],
    ['passwort123', 'many people'],
    ['ada@example.com', 'name or email address'],
    ['Lovelace123', 'name or email address'],
    ['culvert123', 'name or email address'],
  ])('is weak: %s', async (password, reason) => {
    expect(await findPasswordWeakness(password, words)).toContain(reason)
  })

  it.each([
    'correct horse battery',
    'a password for tests',
    'Xk7$mQ2pLw',
    'donau dampf schiff fahrt',
    'サクラ咲く東京の空',
    '   wolf tree lamp river',
  ])('is strong: %s', async (password) => {
    expect(await findPasswordWeakness(password, words)).toBeUndefined()
  })

  it('is estimated in bounded time for hostile input', async () => {
    await findPasswordWeakness('loads the estimator', [])
    const hostile = [
      '$1@3'.repeat(64),
      'a@4iI1!|l'.repeat(28),
      '19901990'.repeat(32),
      `${'1'.repeat(128)}${'@'.repeat(128)}`,
      'qwerty'.repeat(42),
    ]
    for (const password of hostile) {
      const begun = threadCpuMs()
      await findPasswordWeakness(
        password,
        Array.from({ length: 20 }, (_, index) => `word${index}`),
      )
      expect(threadCpuMs() - begun).toBeLessThan(1_000)
    }
  })
})
