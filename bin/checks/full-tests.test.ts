import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fullTestFiles } from './full-tests.ts'

it('files that only run in full exist', () => {
  expect(Object.keys(fullTestFiles).filter((path) => !existsSync(path))).toEqual([])
})
