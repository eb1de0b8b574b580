import type { ExceptionValue, Mechanism } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import { nonEmpty } from '#server/normalize/emptiness.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { createSmallBudget } from '#server/normalize/free-form-json.ts'
import { readStackTrace } from './stack-trace.ts'

/** `TypeError: x is not a function`, sent as a value without a type. */
const typeInValue = /^([A-Za-z_$][\w$.]{0,120}(?:Error|Exception)): (\S[\s\S]*)$/

/**
 * Reads the exceptions of an event, root cause first as in the payload; empty ones are left out.
 *
 * `key` contains a list, `{ values: [...] }`, or a single exception.
 */
export function readExceptions(event: FieldReader, key: string): ExceptionValue[] {
  const exceptions: ExceptionValue[] = []
  for (const reader of event.objects(key, limits.exceptions)) {
    const exception = readException(reader)
    if (exception !== undefined) exceptions.push(exception)
  }
  return exceptions
}

function readException(reader: FieldReader): ExceptionValue | undefined {
  const exception: ExceptionValue = {}
  const type = reader.trimmedText('type', limits.exceptionTypeCharacters)
  const value = reader.anyText('value', limits.messageCharacters)
  const module = reader.text('module', limits.symbolCharacters)
  const threadId = reader.text('thread_id', limits.nameCharacters)
  const mechanism = readMechanism(reader)
  const stackTrace = readStackTrace(reader, 'stacktrace')
  if (type !== undefined) exception.type = type
  if (value !== undefined) exception.value = value
  if (type === undefined && value !== undefined) splitTypeFromValue(exception, value)
  if (module !== undefined) exception.module = module
  if (threadId !== undefined) exception.threadId = threadId
  if (mechanism !== undefined) exception.mechanism = mechanism
  if (stackTrace !== undefined) exception.stackTrace = stackTrace
  return nonEmpty(exception)
}

/** As in Relay, but only for names of errors: `http://…` and `note: …` are values. */
function splitTypeFromValue(exception: ExceptionValue, value: string): void {
  const [, type, rest] = typeInValue.exec(value) ?? []
  if (type === undefined || rest === undefined) return
  exception.type = type
  exception.value = rest
}

function readMechanism(exception: FieldReader): Mechanism | undefined {
  if (typeof exception.source['mechanism'] === 'string') {
    const name = exception.text('mechanism', limits.exceptionTypeCharacters)
    return name === undefined ? undefined : { type: name }
  }
  const reader = exception.object('mechanism')
  if (reader === undefined) return undefined
  const mechanism: Mechanism = {}
  const type = reader.text('type', limits.exceptionTypeCharacters)
  const handled = reader.flag('handled')
  const synthetic = reader.flag('synthetic')
  const source = reader.text('source', limits.nameCharacters)
  const description = reader.anyText('description', limits.messageCharacters)
  const data = reader.json('data', createSmallBudget())
  const meta = reader.json('meta', createSmallBudget())
  if (type !== undefined) mechanism.type = type
  if (handled !== undefined) mechanism.handled = handled
  if (synthetic !== undefined) mechanism.synthetic = synthetic
  if (source !== undefined) mechanism.source = source
  if (description !== undefined) mechanism.description = description
  if (data !== undefined) mechanism.data = data
  if (meta !== undefined) mechanism.meta = meta
  readGroupPosition(reader, mechanism)
  return nonEmpty(mechanism)
}

/** Reads the exception's position in an exception group (RFC 0079). */
function readGroupPosition(reader: FieldReader, mechanism: Mechanism): void {
  const exceptionId = reader.count('exception_id')
  const parentId = reader.count('parent_id')
  const isExceptionGroup = reader.flag('is_exception_group')
  if (exceptionId !== undefined) mechanism.exceptionId = exceptionId
  if (parentId !== undefined) mechanism.parentId = parentId
  if (isExceptionGroup !== undefined) mechanism.isExceptionGroup = isExceptionGroup
}
