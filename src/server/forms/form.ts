import * as v from 'valibot'
import type { FormFields, FormProblem, FormRejection, FormReply } from './form-views.ts'

/** The outcome of a form, with cookies for the browser that sent it. */
export type FormOutcome = FormReply & { cookies?: string[] }

/** The names of the fields of a form. */
export interface FormFieldNames {
  /** `$` stands for a parameter, as in the paths of pages. */
  fields: readonly string[]
  /** Fields that depend on the value of another field: by its name, then by its value. */
  fieldsByChoice?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** A form of a page. `TContext` is what the page reads before its forms run: the user, and the subject. */
export interface FormDefinition<TContext> extends FormFieldNames {
  submit: (context: TContext, fields: FormFields) => Promise<FormOutcome>
}

/** The input of a form's action: the page's context, and the parsed fields. */
export type Submitted<TContext, TFields> = TContext & {
  fields: TFields
  /** The version of the settings that the form showed; see `mark.ts`. */
  mark: string | undefined
}

/**
 * Returns the function that defines forms for pages with one kind of context. A form is a schema and an
 * action: the messages of the schema appear at the fields, and the action is called only with fields that it
 * accepts. `more`: the fields that the schema does not list.
 */
export function formsFor<TContext>() {
  return function defineForm<TSchema extends v.GenericSchema<unknown, unknown>>(
    schema: TSchema,
    act: (form: Submitted<TContext, v.InferOutput<TSchema>>) => Promise<FormOutcome>,
    more: Partial<FormFieldNames> = {},
  ): FormDefinition<TContext> {
    const names = v.is(objectSchema, schema) ? Object.keys(schema.entries) : []
    return {
      fields: [...names, ...(more.fields ?? [])],
      fieldsByChoice: more.fieldsByChoice,
      submit: async (context, fields) => {
        const parsed = v.safeParse(schema, fields)
        if (!parsed.success) return reject(parsed.issues.map(toProblem))
        const { mark } = v.parse(markField, fields)
        return act({ ...context, fields: parsed.output, mark })
      },
    }
  }
}

/** A schema that lists its fields; a variant does not. */
const objectSchema = v.looseObject({ entries: v.record(v.string(), v.unknown()) })

const markField = v.object({ mark: v.optional(v.fallback(v.string(), '')) })

function toProblem({ path, message }: v.BaseIssue<unknown>): FormProblem {
  const field = path?.[0]?.key
  return typeof field === 'string' ? { field, message } : { message }
}

/** The outcome if nothing was changed because of the input, or for another reason, with its status. */
export function reject(
  problems: string | FormProblem[],
  status: FormRejection['status'] = 422,
): FormRejection {
  return {
    kind: 'rejected',
    status,
    problems: typeof problems === 'string' ? [{ message: problems }] : problems,
  }
}
