import { describe, expect, it } from 'vitest'
import { parsePlaywrightReport, parseVitestReport } from './test-reports.ts'

const vitestReport = {
  numPassedTests: 5,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [
    { status: 'passed', assertionResults: [{}] },
    { status: 'failed', assertionResults: [{}] },
  ],
}

describe('parseVitestReport', () => {
  it.each([undefined, null, 'text', [], {}, { ...vitestReport, numPassedTests: '5' }])(
    'rejects %j',
    (report) => {
      expect(parseVitestReport(report)).toBeUndefined()
    },
  )

  it('counts pending and todo tests as skipped', () => {
    expect(parseVitestReport(vitestReport)).toEqual({ passed: 5, failed: 1, skipped: 3 })
  })

  it('counts a file that could not be loaded as a failure', () => {
    const broken = { status: 'failed', assertionResults: [] }
    const report = { ...vitestReport, testResults: [...vitestReport.testResults, broken] }
    expect(parseVitestReport(report)?.failed).toBe(2)
  })
})

describe('parsePlaywrightReport', () => {
  const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }, errors: [] }

  it.each([undefined, 'text', {}, { stats: {}, errors: [] }])('rejects %j', (value) => {
    expect(parsePlaywrightReport(value)).toBeUndefined()
  })

  it('counts a test that passed only when it was repeated as a failure', () => {
    expect(parsePlaywrightReport(report)).toEqual({ passed: 3, failed: 2, skipped: 2 })
  })

  it('counts an error outside of every test as a failure', () => {
    expect(parsePlaywrightReport({ ...report, errors: [{ message: 'boom' }] })?.failed).toBe(3)
  })
})
