/** Translation key of an action. Dots separate keys in i18next, so they are replaced. */
export function actionKey<A extends string>(action: A): string {
  return action.replace('.', '_');
}
