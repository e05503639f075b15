from peft.tuners.tuners_utils import ModulesToSaveWrapper

print(ModulesToSaveWrapper)
