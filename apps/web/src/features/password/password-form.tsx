/** Sets another password for the own account: the current one, and the new one twice. */

import { PARENT_PASSWORD_MIN, STAFF_PASSWORD_MIN } from '@haris/contract/constants';
import {
  changePasswordBodySchema,
  changeStaffPasswordBodySchema,
  SAME_PASSWORD,
  sessionRoutes,
} from '@haris/contract/http/session';
import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../client/api-error.ts';
import { failureText, fieldErrors, localizeSentence, showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { useSession } from '../../client/session.tsx';
import { focusFirstError, validateWith } from '../../client/validation.ts';
import { notifySuccess } from '../../ui/toast.ts';

const FIELDS = ['current', 'password', 'repeated'] as const;

export function PasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['password', 'auth']);
  const client = useQueryClient();
  const { admin, parent } = useSession();
  const isStaff = admin.isAuthenticated;
  const validate = validateWith(isStaff ? changeStaffPasswordBodySchema : changePasswordBodySchema);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current: '', password: '', repeated: '' },
    validate: ({ repeated, ...values }) => ({
      ...(values.current === values.password ? { password: localizeSentence(SAME_PASSWORD) } : {}),
      ...validate(values),
      ...(values.password === repeated ? {} : { repeated: t('auth:reset.mismatch') }),
    }),
  });
  const change = useMutation({
    async mutationFn({ current, password }: typeof form.values) {
      // What was typed as the current one is the proof that the call wants.
      await call(sessionRoutes.proveSession, { body: { password: current } });
      await call(sessionRoutes.changePassword, { body: { current, password } });
    },
    async onSuccess() {
      notifySuccess(t('password:change.success'));
      await client.invalidateQueries({ queryKey: [keys.session] });
      onDone();
    },
    onError(error) {
      const isWrong = error instanceof ApiError && error.code === 'wrong_password';
      const errors = isWrong ? { current: failureText(error) } : fieldErrors(error);
      form.setErrors(errors);
      if (Object.keys(errors).length > 0) focusFirstError(form)(errors);
      else showFailure(error);
    },
  });
  const labels = {
    current: t('password:change.current'),
    password: t('auth:reset.newPassword'),
    repeated: t('auth:reset.repeatPassword'),
  };
  const hint = t('auth:passwordHint', { count: isStaff ? STAFF_PASSWORD_MIN : PARENT_PASSWORD_MIN });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!change.isPending) change.mutate(values);
      }, focusFirstError(form))}
    >
      <Stack>
        {/* For the browser's password store. */}
        <input
          type="text"
          autoComplete="username"
          value={(admin.identity ?? parent.identity)?.email ?? ''}
          readOnly
          hidden
        />
        {FIELDS.map((field) => (
          <PasswordInput
            key={form.key(field)}
            label={labels[field]}
            {...(field === 'password' ? { description: hint } : {})}
            autoComplete={field === 'current' ? 'current-password' : 'new-password'}
            dir="ltr"
            visibilityToggleButtonProps={{ 'aria-label': t('auth:showPassword') }}
            {...form.getInputProps(field)}
          />
        ))}
        <Button type="submit" fullWidth loading={change.isPending}>
          {t('password:change.submit')}
        </Button>
      </Stack>
    </form>
  );
}
