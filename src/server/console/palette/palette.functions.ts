import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { getPaletteView } from './palette.ts'

/** The results of the command palette for a text, which is empty at first. */
export const fetchPalette = signedInFn()
  .validator(v.object({ text: v.pipe(v.string(), v.trim(), v.maxLength(200)) }))
  .handler(({ data, context }) => getPaletteView(context.services, context.viewer, data.text))
