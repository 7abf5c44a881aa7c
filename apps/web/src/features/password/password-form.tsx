/** Changes the person's own password: asks for the current password, and for the new one twice. */

import { PARENT_PASSWORD_MIN, STAFF_PASSWORD_MIN } from '@haris/contract/constants';
import {
  changePasswordBodySchema,
  changeStaffPasswordBodySchema,
  SAME_PASSWORD,
  sessionRoutes,
} from '@haris/contract/http/session';
import { Button, PasswordInput, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../calls/api-error.ts';
import { failureText, fieldErrors, localizeSentence, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { useSession } from '../../session/session.tsx';
import { notifySuccess } from '../../ui/toast.ts';

const FIELDS = ['current', 'password', 'repeated'] as const;

export function PasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['password', 'auth']);
  const client = useQueryClient();
  const { admin, parent } = useSession();
  const isStaff = admin.isAuthenticated;
  const validate = validateWith(isStaff ? changeStaffPasswordBodySchema : changePasswordBodySchema);
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { current: '', password: '', repeated: '' },
    validate: ({ repeated, ...values }) => ({
      ...(values.current === values.password ? { password: localizeSentence(SAME_PASSWORD) } : {}),
      ...validate(values),
      ...(values.password === repeated ? {} : { repeated: t('auth:reset.mismatch') }),
    }),
    async send({ current, password }) {
      // The current password serves as the proof that the call requires.
      await call(sessionRoutes.proveSession, { body: { password: current } });
      await call(sessionRoutes.changePassword, { body: { current, password } });
    },
    async onSuccess() {
      notifySuccess(t('password:change.success'));
      await client.invalidateQueries({ queryKey: [keys.session] });
      onDone();
    },
    onFailure(error) {
      const isWrong = error instanceof ApiError && error.code === 'wrong_password';
      const errors = isWrong ? { current: failureText(error) } : fieldErrors(error);
      if (Object.keys(errors).length === 0) showFailure(error);
      return errors;
    },
  });
  const labels = {
    current: t('password:change.current'),
    password: t('auth:reset.newPassword'),
    repeated: t('auth:reset.repeatPassword'),
  };
  const hint = t('auth:passwordHint', { count: isStaff ? STAFF_PASSWORD_MIN : PARENT_PASSWORD_MIN });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {/* Tells the browser's password manager which account the password belongs to. */}
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
        <Button type="submit" fullWidth loading={isBusy}>
          {t('password:change.submit')}
        </Button>
      </Stack>
    </form>
  );
}
