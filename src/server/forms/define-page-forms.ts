import * as v from 'valibot'
import type { Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { rawText } from './fields.ts'
import type { FormFields } from './form-views.ts'
import { reject, type FormDefinition, type FormFieldNames, type FormOutcome } from './form.ts'

/** A submitted form. */
export interface FormCall {
  services: Services
  request: Request
  viewer: Viewer | undefined
  /** The parameters in the page's path, by name. */
  params: Record<string, string>
  fields: FormFields
}

/** Admits a form, or returns undefined under load. Call the result when the form is answered. */
export type FormGate = (call: FormCall) => Promise<(() => void) | undefined>

/** The forms of a page, or of an action. */
export interface PageForms {
  /** For an action, which can be posted from any page and returns there: the message if nothing changed. */
  notDone?: string
  /** By the value of the field `action`: the names of the other fields. */
  forms: Readonly<Record<string, FormFieldNames>>
  gate: FormGate
  submit: (call: FormCall) => Promise<FormOutcome>
}

/** The context of a page's forms, or the outcome with which all of them are rejected. */
export type Prepared<TContext> = { context: TContext } | { outcome: FormOutcome }

/** Defines the forms of a page, by the value of their field `action`. */
export function definePageForms<TContext>(
  forms: Record<string, FormDefinition<TContext>>,
  {
    prepare,
    conclude,
    gate = letIn,
  }: {
    prepare: (call: FormCall) => Promise<Prepared<TContext>>
    /** Called after a form of the page has made a change. */
    conclude?: (context: TContext) => Promise<void>
    gate?: FormGate
  },
): PageForms {
  return {
    forms: Object.fromEntries(
      Object.entries(forms).map(([name, { fields, fieldsByChoice }]) => [name, { fields, fieldsByChoice }]),
    ),
    gate,
    async submit(call) {
      const prepared = await prepare(call)
      if ('outcome' in prepared) return prepared.outcome
      // A script can omit the name: this selects the first form.
      const name = v.parse(rawText, call.fields['action'] ?? Object.keys(forms)[0])
      const form = Object.hasOwn(forms, name) ? forms[name] : undefined
      if (form === undefined) return reject('This page is from another version of Culvert. Reload it.')
      const outcome = await form.submit(prepared.context, call.fields)
      if (outcome.kind === 'rejected') return outcome
      await conclude?.(prepared.context)
      const written = await call.services.reads.noteWrite(call.viewer?.userId)
      return written === undefined ? outcome : { ...outcome, cookies: [...(outcome.cookies ?? []), written] }
    },
  }
}

const letIn: FormGate = () => Promise.resolve(() => undefined)
