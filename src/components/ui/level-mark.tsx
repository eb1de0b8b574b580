import type { EventType, Level } from '#protocol/event.ts'

interface LevelMarkProps {
  level: Level
  type?: EventType
  isNamed?: boolean
}

/**
 * The severity as a shape and a colour, with the word for assistive technology or for all. An issue of a
 * monitor, and one of performance, has its own shape.
 */
export function LevelMark({ level, type, isNamed = false }: LevelMarkProps) {
  const shape = type === 'monitor' || type === 'uptime' || type === 'performance' ? type : undefined
  const text = shape === undefined ? level : `${level}, ${shape}`
  return (
    <span className="level" data-level={level} data-type={shape} title={isNamed ? undefined : text}>
      <span className={isNamed ? undefined : 'visually-hidden'}>{text}</span>
    </span>
  )
}
