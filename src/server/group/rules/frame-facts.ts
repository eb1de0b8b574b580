import type { Event, ExceptionValue, Frame } from '#protocol/event.ts'
import { platformFamily } from '#server/group/mechanisms/v1/platform-family.ts'
import type { RuleFamily } from './value-pattern.ts'

/** The properties of a frame that rules test. */
export interface FrameFacts {
  /** Full path, then the short one where it differs. */
  paths: string[]
  module?: string
  package?: string
  function?: string
  family: RuleFamily
  /** Changed by rules as they go. */
  isApp: boolean
  category?: string
}

/** The properties of a frame's exception that rules test. */
export interface ExceptionFacts {
  type?: string
  value?: string
  mechanism?: string
}

/** Reads a frame for the rules. */
export function toFrameFacts(
  frame: Frame,
  { platform }: Pick<Event, 'platform'>,
  isApp: boolean,
): FrameFacts {
  const { absPath, filename } = frame
  const paths = [absPath, filename].filter((path) => path !== undefined && path !== '')
  return {
    paths: [...new Set(paths)].filter((path) => path !== undefined),
    module: frame.module,
    package: frame.package,
    function: frame.function,
    family: toRuleFamily(frame.platform ?? platform),
    isApp,
  }
}

/** Reads an exception for the rules. */
export function toExceptionFacts({ type, value, mechanism }: ExceptionValue): ExceptionFacts {
  return {
    type,
    value,
    ...(mechanism?.type !== undefined && { mechanism: mechanism.type }),
  }
}

/** The family of a platform, in the words of rules. */
export function toRuleFamily(platform: string): RuleFamily {
  const family = platformFamily(platform)
  return family === 'native' || family === 'javascript' ? family : 'other'
}
