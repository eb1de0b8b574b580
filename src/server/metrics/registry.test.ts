import { describe, expect, it } from 'vitest'
import { createMetrics } from './registry.ts'

describe('metrics in Prometheus’s text format', () => {
  it('count by label, and escape label values', () => {
    const metrics = createMetrics()
    const items = metrics.counter({ name: 'items_total', help: 'Items\nof \\ all', labels: ['reason'] })
    items.add(1, ['a "b"\\\n'])
    items.add(2, ['x'])
    items.add(3, ['x'])
    expect(metrics.render()).toBe(
      [
        '# HELP items_total Items\\nof \\\\ all',
        '# TYPE items_total counter',
        'items_total{reason="a \\"b\\"\\\\\\n"} 1',
        'items_total{reason="x"} 5',
        '',
      ].join('\n'),
    )
  })

  it('read a gauge when they are rendered', () => {
    const metrics = createMetrics()
    let value = 1
    metrics.gauge({ name: 'size', help: 'Size' }, () => [{ value }])
    value = 2
    expect(metrics.render()).toBe('# HELP size Size\n# TYPE size gauge\nsize 2\n')
  })

  it('sort observations into cumulative buckets', () => {
    const metrics = createMetrics()
    const seconds = metrics.histogram({ name: 'seconds', help: 'Time', buckets: [0.1, 1] })
    for (const value of [0.05, 0.1, 0.5, 7]) seconds.observe(value)
    expect(metrics.render()).toContain(
      'seconds_bucket{le="0.1"} 2\nseconds_bucket{le="1"} 3\nseconds_bucket{le="+Inf"} 4\nseconds_sum 7.65\nseconds_count 4\n',
    )
  })

  it('are bounded when label values are unbounded', () => {
    const metrics = createMetrics()
    const items = metrics.counter({ name: 'items_total', help: 'Items', labels: ['reason'] })
    for (let index = 0; index < 2_000; index += 1) items.add(1, [`reason ${index}`])
    const rendered = metrics.render().trim().split('\n')
    expect(rendered.length).toBeLessThan(600)
    expect(rendered.at(-1)).toBe('items_total{reason="other"} 1500')
  })
})
