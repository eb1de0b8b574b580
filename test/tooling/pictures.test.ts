import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listShownPictures, pictureFolder } from '../../demo/pictures.ts'
import { screens } from '../../demo/screens.ts'

const pictures = listShownPictures()
const files = [...new Set(pictures.map(({ file }) => file))].toSorted()

// Each change of a picture adds its size to every clone.
it('every stored picture is shown by a document, and every shown one is stored', () => {
  expect(readdirSync(pictureFolder).toSorted()).toEqual(files)
})

it('every picture has a screen that is opened to take it, and every screen a picture', () => {
  const names = new Set(files.map((file) => file.replace(/-(?:light|dark)\.png$/, '')))
  expect(Object.keys(screens).toSorted()).toEqual([...names].toSorted())
})

it('every picture is described for people who do not see it', () => {
  const alts = pictures.flatMap(({ alt }) => alt ?? [])
  expect(alts.length).toBeGreaterThan(10)
  for (const alt of alts) expect(alt).toMatch(/^(?:\S+ ){3,}/)
})
