import { limits } from '#server/limits.ts'
import {
  buildDialog,
  createReporter,
  makeElement,
  makeFields,
  openDialog,
  readPageOptions,
  type DialogData,
  type DialogParts,
} from './dialog-parts.ts'
import { dialogStyles } from './dialog-styles.ts'
import { dialogTexts } from './dialog-texts.ts'

const data: DialogData = {
  texts: dialogTexts,
  styles: dialogStyles,
  maxCharacters: {
    name: limits.nameCharacters,
    email: limits.nameCharacters,
    comments: limits.messageCharacters,
  },
}

const parts: DialogParts = { readPageOptions, makeElement, makeFields, buildDialog, createReporter }

/**
 * The script that opens the report dialog in the page that loads it. It is the same for every request:
 * variable data is read from the script's own URL in the browser, so no parameter can become code.
 *
 * Built from the source text of the functions, so that they are typed and linted like all others, need no
 * build, and are the same from source and in a build.
 */
export const dialogScript: string = `(${String(openDialog)})(${JSON.stringify(data)}, {${Object.entries(parts)
  .map(([name, part]) => `${name}: ${String(part)}`)
  .join(',')}})
`
