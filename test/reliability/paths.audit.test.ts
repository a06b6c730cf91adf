import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { figure, sized, NONE } from './figure.ts'
import { build } from './paths/build.ts'
import { type ApplicationDraft, pathsOf, type RouteDraft } from './paths/draft.ts'
import { generateApplication, OTHER_PROFILES, PROFILES } from './paths/generate.ts'
import { type FoundAnswer, Oracle } from './paths/oracle.ts'
import { Random, seedOf } from './paths/random.ts'
import { generateRequest } from './paths/urls.ts'
import type { RouteFinding } from '../../src/inspection/audit/finding.ts'

const SEED = seedOf('PATHS_SEED')
const APPLICATIONS = sized(60, 2000)
const PER_APPLICATION = 300

/** Resolvers are left out: a check of tables knows nothing of them. */
function withoutResolvers(draft: ApplicationDraft): ApplicationDraft {
  const modules = draft.modules.map((module) => ({
    ...module,
    steps: module.steps.filter(({ kind }) => kind !== 'resolver'),
  }))
  return { ...draft, modules }
}

/** How a check names the routes of a module: methods and path. Several routes may be called alike. */
function labelsOf(draft: ApplicationDraft, module: string): ReadonlyMap<string, string> {
  const steps = draft.modules.find(({ name }) => name === module)?.steps ?? []
  const routes = steps.flatMap((step) => (step.kind === 'resolver' ? [] : step.routes))
  return new Map(routes.map((route) => [route.name, labelOf(route)]))
}

function labelOf(route: RouteDraft): string {
  const [first] = pathsOf(route)
  return `${route.methods.join('|')} ${first?.[1] ?? ''}`
}

function withoutPlace(label: string): string {
  return label.replace(/ \(\S+:\d+\)$/, '')
}

interface Subject {
  readonly draft: ApplicationDraft
  readonly oracle: Oracle
  readonly findings: readonly RouteFinding[]
}

/** The example of an overlap is answered by the route that is named as its winner. */
function checkExamples({ draft, oracle, findings }: Subject): number {
  const told = findings.filter(({ winner }) => winner !== null)
  for (const { example, winner, module, message } of told) {
    const [method = '', path = ''] = example?.split(' ') ?? []
    const answer = oracle.answer(method, path)
    assert.ok(answer.kind === 'found' && answer.module === module, `${message}: ${example}`)
    const label = labelsOf(draft, module).get(answer.name ?? '')
    assert.equal(label, withoutPlace(winner ?? ''), `${message}: ${example}`)
  }
  return told.length
}

/** What is said to be without any URL is reached by none of those that are tried. */
function checkUnreachable(answer: FoundAnswer, { draft, findings }: Subject): void {
  const labels = labelsOf(draft, answer.module)
  const label = labels.get(answer.name ?? '')
  const isAlone = [...labels.values()].filter((other) => other === label).length === 1
  if (label === undefined || !isAlone) return
  const said = findings.find(({ code, module, severity, message }) => {
    const isAbout =
      message.startsWith(`no URL reaches ${label} (`) || message.startsWith(`no URL reaches ${label} of`)
    return code === 'unreachable-route' && severity === 'fault' && module === answer.module && isAbout
  })
  assert.equal(said?.message, undefined)
}

describe('what sallyport check reports for random applications', () => {
  it('names the route that answers each example, and calls nothing unreachable that a URL reaches', async (t) => {
    let overlaps = 0
    let unreachable = 0
    for (let index = 0; index < APPLICATIONS; index++) {
      const random = new Random(SEED + index * 6700417)
      const profile = random.pick([...PROFILES, ...OTHER_PROFILES])
      const draft = withoutResolvers(generateApplication(random, profile))
      const { app } = await build(draft)
      const { findings } = (await app.inspection()).audit()
      const subject = { draft, oracle: new Oracle(draft), findings }
      unreachable += findings.filter(({ code }) => code === 'unreachable-route').length
      try {
        overlaps += checkExamples(subject)
        for (let turn = 0; turn < PER_APPLICATION; turn++) {
          const { method, path } = generateRequest(random, draft)
          const answer = subject.oracle.answer(method, path)
          if (answer.kind === 'found') checkUnreachable(answer, subject)
        }
      } catch (error) {
        throw new Error(`PATHS_SEED=${SEED}, application ${index}\n${JSON.stringify(draft)}`, {
          cause: error,
        })
      }
    }

    const what = `wrong verdicts of ${overlaps} overlaps and ${unreachable} unreachable routes in ${APPLICATIONS} applications (seed ${SEED})`
    figure(t, 'issue 3', { what, value: NONE, goal: '0' })
  })
})
