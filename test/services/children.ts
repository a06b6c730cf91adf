import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Ends forked processes that leave when nobody listens to them any more, and waits until they have left. */
export async function endChildren(children: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    }),
  )
}
