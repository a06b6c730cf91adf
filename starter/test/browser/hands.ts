/** Stories of people at a browser, told by keyboard alone and without script. @module */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Hand as AnyHand,
  keyboardOf,
  missingBrowser,
  mouseOf,
  type Sight,
} from 'sallyport-app/testing/browser'
import { PASSWORD, type Person } from '../support.ts'
import { Stage } from './stage.ts'
import type { Visit } from './visit.ts'
import { World } from './world.ts'

/** How a person uses a page. */
export type Hand = AnyHand<Visit>

/** What a person does, and sees. */
export interface Story {
  /** What it is about. */
  readonly name: string
  /** Tells it. */
  readonly play: (stage: Stage, hand: Hand) => Promise<void>
}

/** Signs in through both steps. */
export async function enter(stage: Stage, hand: Hand, person: Person): Promise<void> {
  await hand.visit.open('/login')
  await hand.fill('Email address', person.email)
  await hand.fill('Password', PASSWORD)
  await hand.use('Continue')
  await hand.fill('Six-digit code', await stage.code(person))
  assert.equal((await hand.use('Sign in')).path, '/account')
}

/** @returns A signed-in account, whose session proved everything too long ago. */
export async function inside(stage: Stage, hand: Hand): Promise<Person> {
  const ada = await stage.world.person('ada', { factor: 'enabled' })
  await enter(stage, hand, ada)
  stage.world.clock.advance(301)
  return ada
}

/** Confirms an action, at the second try. @returns What is seen then. */
export async function confirm(stage: Stage, hand: Hand, person: Person): Promise<Sight> {
  await hand.fill('Password', 'wrong')
  await hand.fill('Six-digit code', await stage.world.wrongCode(person))
  const refused = await hand.use('Confirm')
  assert.deepEqual([refused.status, refused.focus], [422, 'password'])
  assert.match(refused.alert, /The password or the code is wrong/)
  await hand.fill('Password', PASSWORD)
  await hand.fill('Six-digit code', await stage.code(person))
  return hand.use('Confirm')
}

/** Tests each story by keyboard alone, and without script. */
export function testStories(stories: readonly Story[]): void {
  describe('the stories', { skip: missingBrowser ?? false }, () => {
    const world = new World()

    for (const { name, play } of stories) {
      it(`${name}: by keyboard alone, with the focus in sight [RA-3103 FLOW-49]`, () =>
        Stage.use(world.browser, async (stage) => play(stage, keyboardOf(await stage.open()))))

      it(`${name}: without script [RA-2902 RA-3103]`, () =>
        Stage.use(world.browser, async (stage) =>
          play(stage, mouseOf(await stage.open({ javaScriptEnabled: false }))),
        ))
    }
  })
}
