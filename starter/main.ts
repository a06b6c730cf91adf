import { type App, SystemClock } from 'sallyport'
import { type Faults, runProgram, serveProgram } from 'sallyport-app/program'
import { runCommand } from './commands.ts'
import { banner } from './core/boot/banner.ts'
import { demoAccountOf } from './core/boot/demo-account.ts'
import { readEnvironment } from './core/boot/environment.ts'
import { FactorVault } from './core/factors/factor-vault.ts'
import { hourlyTasks } from './core/operations/leftovers.ts'
import { Parts } from './core/part.ts'
import { openApplication } from './opened.ts'
import { PARTS } from './parts.ts'

const clock = new SystemClock()

await runProgram(process.argv.slice(2), {
  command: (line) => runCommand(line, process.env, clock),
  serve,
})

async function serve(): Promise<void> {
  const environment = readEnvironment(process.env, PARTS)
  const opened = await openApplication(environment, clock)
  await serveProgram(opened, environment, async () => {
    const demo = await demoAccountOf(opened, environment, clock)
    return {
      hourly: hourlyTasks,
      banner: (facts) => banner({ ...facts, demo }, process.stdout),
      faults: (app) => faultsOf(app, environment.isProduction),
    }
  })
}

// Such as that nobody can administer accounts yet, and how to change that.
async function faultsOf(app: App, isProduction: boolean): Promise<Faults> {
  const fault = await app.get(FactorVault).warning()
  const warnings = isProduction ? await app.get(Parts).findings(app) : []
  return { errors: fault === undefined ? [] : [fault], warnings }
}
