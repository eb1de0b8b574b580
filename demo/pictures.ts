import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The folder of the pictures in documents. */
export const pictureFolder = join(root, 'docs/screenshots')

/** A picture that a document shows. */
export interface ShownPicture {
  /** `issues-light.png` */
  file: string
  /** Undefined for another picture at the same place, in dark mode. */
  alt: string | undefined
}

/** The pictures of the README and the guides. */
export function listShownPictures(): ShownPicture[] {
  const documents = ['README.md', ...globSync('docs/*.md', { cwd: root })]
  return documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return [...text.matchAll(shown)].map(([, alt, file, imageAlt, imageFile, darkFile]) => ({
      file: file ?? imageFile ?? darkFile ?? '',
      alt: alt ?? imageAlt,
    }))
  })
}

const file = String.raw`(?:docs/)?screenshots/([\w-]+\.png)`

/** In Markdown, and in an HTML element with a variant for dark mode. */
const shown = new RegExp(
  String.raw`!\[([^\]]*)\]\(${file}\)|<img alt="([^"]*)" src="${file}"|srcset="${file}"`,
  'g',
)
