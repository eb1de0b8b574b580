import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTempDir } from '#test/temp-dir.ts'
import { keepPreviousClient } from './previous-client.ts'

it('keeps the files of one build, also if the next one fails', async () => {
  const dist = await createTempDir()
  const client = join(dist.path, 'client/assets')
  const previous = join(dist.path, 'previous-client/assets')
  await keepPreviousClient(dist.path)
  for (const name of ['a.js', 'b.js']) {
    await mkdir(client, { recursive: true })
    await writeFile(join(client, name), name)
    await keepPreviousClient(dist.path)
    await rm(client, { recursive: true })
  }
  expect(await readFile(join(previous, 'b.js'), 'utf8')).toBe('b.js')
  await expect(readFile(join(previous, 'a.js'))).rejects.toThrow('ENOENT')
  await rm(join(dist.path, 'client'), { recursive: true })
  await keepPreviousClient(dist.path)
  expect(await readFile(join(previous, 'b.js'), 'utf8')).toBe('b.js')
  await dist.remove()
})
