/** The key of an action's words: dots part keys. */
export function actionKey<A extends string>(action: A): string {
  return action.replace('.', '_');
}
