import { createContext, use } from 'react'
import type { FormHost } from '#server/forms/form-views.ts'

/** Provided by the root screen. */
export const FormHostContext = createContext<FormHost | undefined>(undefined)

/** The host of the page's forms. */
export function useFormHost(): FormHost {
  const host = use(FormHostContext)
  if (host === undefined) throw new TypeError('A form outside of a FormHostContext')
  return host
}
