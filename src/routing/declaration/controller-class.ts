import type { ActionParameter } from './parameter.ts'

/** The action table of a controller as it is read at run time. */
export type ActionTable = Readonly<Record<string, readonly ActionParameter[] | undefined>>

/** A controller: a class that is built without arguments and names its actions in `static actions`. */
export interface ControllerClass {
  /** Name of the class, from which the convention spells its segment. */
  readonly name: string
  /** The actions: methods by name, with their parameters. */
  readonly actions?: ActionTable
  new (): object
}

/** Names that may stand beside a controller in a handler: its public members. */
export type MemberName<C extends ControllerClass> = string & keyof InstanceType<C>

/** What answers a route: `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`. */
export type Handler<C extends ControllerClass = ControllerClass> = readonly [C, MemberName<C>] | C | string
