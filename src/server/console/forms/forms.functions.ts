import { createServerFn } from '@tanstack/react-start'
import { appendResponseHeader, getRequest, setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { requestViewer } from '#server/auth/session-middleware.functions.ts'
import { readFormFields } from '#server/forms/fields.ts'
import { handlePageForm } from './form-registry.ts'

/** The field with the path of the form's page. */
export const pathnameField = ':pathname'

/**
 * Handles a form of a page. The page checks access and finds the subject: see `form-registry.ts`. Without
 * JavaScript the browser posts the same form to the page itself.
 */
export const submitForm = createServerFn({ method: 'POST' })
  .middleware([requestViewer])
  .validator(v.instance(FormData))
  .handler(async ({ data, context: { services, viewer } }) => {
    const { [pathnameField]: pathname, ...fields } = readFormFields(data)
    const call = { services, viewer, request: getRequest(), fields }
    const { cookies = [], ...reply } = await handlePageForm(String(pathname), call)
    for (const cookie of cookies) appendResponseHeader('set-cookie', cookie)
    // A reply with a token must not be compressed together with entered text (BREACH).
    setResponseHeader('cache-control', 'no-store, no-transform')
    return reply
  })
