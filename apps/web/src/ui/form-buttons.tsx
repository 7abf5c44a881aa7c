/** Buttons at the end of a dialog's form: cancel and submit. */
import { Button, Group } from '@mantine/core';

export interface FormButtonsProps {
  cancel: string;
  submit: string;
  onCancel: () => void;
  isBusy: boolean;
}

export function FormButtons({ cancel, submit, onCancel, isBusy }: FormButtonsProps) {
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={onCancel} disabled={isBusy}>
        {cancel}
      </Button>
      <Button type="submit" loading={isBusy}>
        {submit}
      </Button>
    </Group>
  );
}
