/** Joins the roster with what the person who looks has of an own account: features do not know each other. */
import EmployeesScreen from '../features/employees/employees-screen.tsx';
import { StaffRecognition } from '../features/recognition/staff-recognition.tsx';

export default function Employees() {
  return <EmployeesScreen ownAccount={<StaffRecognition />} />;
}
