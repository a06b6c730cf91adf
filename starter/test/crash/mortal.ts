/**
 * A process that kills itself during a request: `node mortal.ts FOLDER DEED NUMBER`. What the person knows is printed before, as
 * JSON; then the statement of that number is not run. A number that is never reached kills it after the request.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { writeSync } from 'node:fs'
import { beforeStatements } from 'sallyport-app/testing/sql'
import { World } from '../support.ts'
import { DEEDS } from './deeds.ts'
import { prepared } from './death.ts'

const [directory = '', name, number] = process.argv.slice(2)
const deed = DEEDS.find((each) => each.name === name)
assert.ok(deed !== undefined)

const world = await World.open({ after: () => undefined }, directory)
const { browser, facts } = await prepared(deed, world)
writeSync(1, JSON.stringify(facts))
let left = Number(number)
beforeStatements(() => {
  if ((left -= 1) === 0) die()
})
await deed.act(browser, facts, world)
die()

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
