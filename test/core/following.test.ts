import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, it } from 'node:test'
import { following } from '../../src/core/internal.ts'

function aborted(which: 'controller' | 'source', isEarly = false): AbortSignal {
  const [controller, source] = [new AbortController(), new AbortController()]
  if (isEarly) source.abort('why')
  const signal = following(controller, source.signal)
  const both = { controller, source }
  both[which].abort('why')
  return signal
}

describe('a controller that follows a signal', () => {
  it('knows that it was aborted after all but its own signal was collected [HOLD-15]', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const signals = [aborted('controller'), aborted('source'), aborted('source', true)]

    await pause(5)
    collect()
    await pause(5)

    assert.deepEqual(
      signals.map(({ aborted: isAborted, reason }) => [isAborted, String(reason)]),
      Array.from(signals, () => [true, 'why']),
    )
  })
})
