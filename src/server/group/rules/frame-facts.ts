import type { Event, ExceptionValue, Frame } from '#protocol/event.ts'
import { platformFamily } from '#server/group/mechanisms/v1/platform-family.ts'
import type { RuleFamily } from './value-pattern.ts'

/** The properties of a frame that rules test. */
export interface FrameFacts {
  /** The absolute path, then the relative one if it differs. */
  paths: string[]
  module?: string
  package?: string
  function?: string
  family: RuleFamily
  /** Rules change it while they are applied. */
  isApp: boolean
  category?: string
}

/** The properties of a frame's exception that rules test. */
export interface ExceptionFacts {
  type?: string
  value?: string
  mechanism?: string
}

/** The properties of a frame for rules. */
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

/** The properties of an exception for rules. */
export function toExceptionFacts({ type, value, mechanism }: ExceptionValue): ExceptionFacts {
  return {
    type,
    value,
    ...(mechanism?.type !== undefined && { mechanism: mechanism.type }),
  }
}

/** The family of a platform, by its name in rules. */
export function toRuleFamily(platform: string): RuleFamily {
  const family = platformFamily(platform)
  return family === 'native' || family === 'javascript' ? family : 'other'
}
