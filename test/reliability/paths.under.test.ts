import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { figure, NONE, sized } from './figure.ts'
import { build, type BuiltApplication } from './paths/build.ts'
import type { ApplicationDraft, PathDraft } from './paths/draft.ts'
import { generateApplication, OTHER_PROFILES, PROFILES } from './paths/generate.ts'
import { Oracle } from './paths/oracle.ts'
import { generatePrefixes, isServedBelow, resembles } from './paths/prefixes.ts'
import { Random, seedOf } from './paths/random.ts'
import { RawSource } from './paths/raw-source.ts'
import { type Asked, generateRequest, respell } from './paths/urls.ts'

const SEED = seedOf('PATHS_SEED')
const URLS = sized(20_000, 1_000_000)
const PER_APPLICATION = sized(300, 1000)
const GATES = 6

interface Subject extends BuiltApplication {
  readonly draft: ApplicationDraft
  readonly oracle: Oracle
  readonly prefixes: readonly PathDraft[]
}

interface Counts {
  urls: number
  below: number
  gated: number
}

async function check({ method, path }: Asked, subject: Subject, counts: Counts): Promise<void> {
  const { app, draft, gates, oracle, prefixes } = subject
  gates.clear()
  const response = app.handle(new RawSource(method, path))
  if (response instanceof Promise) await response
  const answer = oracle.answer(method, path)
  counts.urls++
  for (const prefix of prefixes) {
    const isGated = gates.has(prefix)
    if (isGated) counts.gated++
    if (isServedBelow(answer, path, { prefix, draft })) {
      counts.below++
      assert.ok(isGated, `${JSON.stringify(prefix)} lets it through, though it is ${JSON.stringify(answer)}`)
    }
    if (isGated) assert.ok(resembles(path, prefix, draft), `${JSON.stringify(prefix)} stops it`)
  }
}

describe('under()', () => {
  it('lets through no URL that is served or redirected below its prefix [HOLD-29]', async (t) => {
    const counts: Counts = { urls: 0, below: 0, gated: 0 }
    for (let index = 0; counts.urls < URLS; index++) {
      const random = new Random(SEED + index * 32_452_843)
      const draft = generateApplication(random, random.pick([...PROFILES, ...OTHER_PROFILES]))
      const prefixes = [...new Set(generatePrefixes(random, draft, GATES))]
      const subject = { ...(await build(draft, prefixes)), draft, oracle: new Oracle(draft), prefixes }
      for (let turn = 0; turn < PER_APPLICATION; turn++) {
        const asked = generateRequest(random, draft)
        const path = random.chance(0.4) ? respell(random, asked.path) : asked.path
        try {
          await check({ ...asked, path }, subject, counts)
        } catch (error) {
          const where = `PATHS_SEED=${SEED}, application ${index}, URL ${turn}: ${asked.method} ${JSON.stringify(path)}`
          throw new Error(`${where}\n${JSON.stringify(draft)}`, { cause: error })
        }
      }
    }

    assert.ok(counts.below > counts.urls / 10)
    const what = `of ${counts.urls} URLs let through, ${counts.below} times below a prefix, ${counts.gated} times gated (seed ${SEED})`
    figure(t, 'HOLD-29', { what, value: NONE, goal: '0' })
  })
})
